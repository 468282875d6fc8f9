; One query, run once a file. extract.py reads the captures by name. C++ adds its own in ../cpp/facts.scm.
(preproc_include) @include
[(struct_specifier body: (_)) (union_specifier body: (_)) (enum_specifier body: (_))] @type
(type_definition) @alias
(function_definition) @function
(preproc_def) @macro
(preproc_function_def) @macro
(field_declaration) @field
(enumerator) @constant
(declaration) @declaration
(call_expression) @call
[(if_statement) (for_statement) (while_statement) (do_statement) (case_statement) (conditional_expression)] @branch
["&&" "||"] @branch
