; One query, run once a file. extract.py reads the captures by name.
(package_clause (package_identifier) @package)
(import_spec) @import
[(type_spec) (type_alias)] @type
[(function_declaration) (method_declaration) (method_elem)] @function
(field_declaration) @field
[(const_spec) (var_spec)] @value
(short_var_declaration) @short
(call_expression) @call
(type_conversion_expression) @conversion
(composite_literal) @new
(selector_expression) @selector
(qualified_type) @qualified
(type_identifier) @used
[(if_statement) (for_statement) (expression_case) (type_case) (communication_case)] @branch
["&&" "||"] @branch
