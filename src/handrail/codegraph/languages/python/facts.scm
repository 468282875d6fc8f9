; One query, run once a file. extract.py reads the captures by name.
(class_definition) @class
(function_definition) @function
(decorated_definition) @decorated
(import_statement) @import
(import_from_statement) @import_from
(call) @call
(assignment) @assignment
(augmented_assignment) @augmented
(type_alias_statement) @type_alias
(as_pattern) @as_pattern
[
  (if_statement) (elif_clause) (for_statement) (while_statement) (except_clause)
  (conditional_expression) (boolean_operator) (case_clause) (if_clause) (for_in_clause)
] @branch
