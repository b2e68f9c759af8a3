"""Where the bytes of exports come from: files and URLs; text, rows and JSON records of them."""
