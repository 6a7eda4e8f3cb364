"""What the API allows to programs: how often one may ask, and pages of which other sites may use it."""

from corsheaders.defaults import default_headers

from config.environment import env_int, env_list

API_READS = env_int("API_READS", 600)
API_WRITES = env_int("API_WRITES", 120)
# All phones of a hall may share one address, and so may the programs of a club.
API_READS_BY_ADDRESS = env_int("API_READS_BY_ADDRESS", 12_000)
API_WRITES_BY_ADDRESS = env_int("API_WRITES_BY_ADDRESS", 1_200)

CORS_ALLOWED_ORIGINS = env_list("CORS_ORIGINS", "")
CORS_URLS_REGEX = r"^/api/v1/"
CORS_ALLOW_CREDENTIALS = False  # a token, and never the cookie of somebody who has signed in to the pages
CORS_ALLOW_HEADERS = (*default_headers, "idempotency-key", "if-match", "if-none-match")
CORS_EXPOSE_HEADERS = (
    *("ETag", "Location", "Content-Disposition", "Retry-After"),
    *("RateLimit", "RateLimit-Policy", "Idempotency-Replayed"),
)
