"""How dates and times are written in each language: the only place that says so. The API writes ISO 8601.

Django reads ``config/formats/<language>/formats.py`` (FORMAT_MODULE_PATH). English is that of Britain: the day comes
first. Every language counts 24 hours. Templates write ``{{ at|date }}``, ``{{ at|time }}`` or name one of the formats:
``{{ at|date:"DATETIME_FORMAT" }}``, ``{{ day|date:"DAY_FORMAT" }}`` for a day of this year, short and with its weekday.
"""
