"""The registry where it reaches into events: people and clubs that change while draws and standings show them."""
