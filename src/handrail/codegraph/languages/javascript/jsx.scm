; Added to the query of the grammars that know JSX.
[(jsx_opening_element) (jsx_self_closing_element)] @jsx
