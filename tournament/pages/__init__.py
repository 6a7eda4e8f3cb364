"""The pages. Each view checks the user and the shape of the data, then calls one service or reads one snapshot."""
