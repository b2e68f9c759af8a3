"""The syntaxes of text exports: rows of CSV, values of JSON and elements of XML."""
