"""The pages. A view checks who asks and the shape of the data sent, calls one service or reads one snapshot."""
