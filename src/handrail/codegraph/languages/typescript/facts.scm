; What TypeScript has beyond javascript/facts.scm.
(function_signature) @function
(abstract_class_declaration) @class
(interface_declaration) @class
(enum_declaration) @class
(internal_module) @class
(type_alias_declaration) @type_alias
(module name: (string) @augmented)
