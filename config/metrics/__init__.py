"""What Prometheus is told at ``/metrics``: counts of all processes of the site, and how things stand."""
