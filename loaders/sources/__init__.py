"""Where the bytes of exports come from: files, archives, URLs and servers."""
