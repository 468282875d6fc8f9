; One query, run once a file. extract.py reads the captures by name.
(using_directive) @using
[(namespace_declaration) (file_scoped_namespace_declaration)] @namespace
[
  (class_declaration) (interface_declaration) (struct_declaration) (record_declaration) (enum_declaration)
] @class
[(method_declaration) (constructor_declaration) (local_function_statement) (property_declaration)] @method
(variable_declaration) @variable
(field_declaration) @field
(enum_member_declaration) @constant
(foreach_statement) @loop
(invocation_expression) @call
(object_creation_expression) @new
[
  (if_statement) (for_statement) (foreach_statement) (while_statement) (do_statement) (catch_clause)
  (conditional_expression) (switch_section) (switch_expression_arm)
] @branch
["&&" "||" "??"] @branch
