; What C++ has beyond C.
(class_specifier body: (_)) @type
(alias_declaration) @alias
(namespace_definition) @namespace
(new_expression) @new
[(for_range_loop) (catch_clause)] @branch
