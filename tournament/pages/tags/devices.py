"""The devices on which somebody signs in."""

from django import template

from tournament.sign_in.browsers import device_name

register = template.Library()
register.filter("device", device_name)
