; One query, run once a file; typescript/facts.scm adds what only TypeScript has. Members of classes and objects are
; read from their bodies: a capture of each would be slower.
[(function_declaration) (generator_function_declaration)] @function
(class_declaration) @class
(variable_declarator) @declarator
(assignment_expression) @assignment
(import_statement) @import
(export_statement) @export
(call_expression) @call
(new_expression) @new
[
  (if_statement) (for_statement) (for_in_statement) (while_statement) (do_statement) (catch_clause)
  (ternary_expression) (switch_case)
] @branch
["&&" "||" "??"] @branch
