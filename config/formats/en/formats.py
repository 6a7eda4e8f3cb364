"""English as in Britain: 23 November 2026, 14:05."""

DATE_FORMAT = "j F Y"
DAY_FORMAT = "D j M"
SHORT_DATE_FORMAT = "d/m/Y"
TIME_FORMAT = "H:i"
SECONDS_FORMAT = "H:i:s"
WEEKDAY_TIME_FORMAT = "D H:i"
DATETIME_FORMAT = "j F Y, H:i"
SHORT_DATETIME_FORMAT = "d/m/Y H:i"
MONTH_DAY_FORMAT = "j F"
YEAR_MONTH_FORMAT = "F Y"
FIRST_DAY_OF_WEEK = 1
DATE_INPUT_FORMATS = ["%Y-%m-%d", "%d/%m/%Y", "%d/%m/%y", "%d %B %Y", "%d %b %Y"]
