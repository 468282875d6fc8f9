; One query, run once a file. extract.py reads the captures by name.
(use_declaration) @use
(mod_item) @mod
[(struct_item) (enum_item) (union_item) (trait_item)] @type
(type_item) @alias
(impl_item) @impl
[(function_item) (function_signature_item)] @function
(macro_definition) @macro
[(const_item) (static_item)] @value
(field_declaration) @field
(enum_variant) @variant
(let_declaration) @local
(call_expression) @call
(struct_expression) @new
(macro_invocation) @invocation
(extern_crate_declaration) @crate
[(if_expression) (while_expression) (loop_expression) (for_expression) (match_arm)] @branch
["&&" "||"] @branch
