"""The pages. A view checks who asks and the shape of what he sends, calls one service or reads one snapshot."""
