"""What a reader may know of events: pages, strips and the API are made of this alone."""
