; One query, run once a file. extract.py reads the captures by name.
(package_declaration) @package
(import_declaration) @import
[
  (class_declaration) (interface_declaration) (enum_declaration) (record_declaration) (annotation_type_declaration)
] @class
[(method_declaration) (constructor_declaration) (compact_constructor_declaration)] @method
(field_declaration) @field
(enum_constant) @constant
(local_variable_declaration) @local
[(enhanced_for_statement) (resource) (catch_formal_parameter)] @bound
(method_invocation) @call
(object_creation_expression) @new
(method_reference) @reference
(type_identifier) @type
[
  (if_statement) (for_statement) (enhanced_for_statement) (while_statement) (do_statement) (catch_clause)
  (ternary_expression) (switch_label)
] @branch
["&&" "||"] @branch
