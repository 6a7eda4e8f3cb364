"""The API for jobs, work that takes longer than a moment: following their progress and cancelling them."""

from django.http import Http404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.api.access import ApiView, user_of
from tournament.api.schema import WRITE, problems
from tournament.jobs.kinds import JOBS
from tournament.jobs.services import cancel_job
from tournament.jobs.watch import progress_of
from tournament.models import Job, JobState


class JobSerializer(serializers.Serializer):
    id = serializers.IntegerField()
    kind = serializers.CharField(help_text=f"One of {', '.join(JOBS)}.")
    event = serializers.IntegerField(source="event_id", allow_null=True)
    state = serializers.ChoiceField(choices=JobState.choices)
    progress = serializers.SerializerMethodField(help_text="How many are done, and of how many; null before it runs.")
    sentence = serializers.CharField(help_text="The outcome; empty before its end.")
    created_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)

    def get_progress(self, job: Job) -> list[int] | None:
        progress = progress_of(job.pk)
        return list(progress) if progress else None


def find_job(request: Request, job_id: int) -> Job:
    """Find the job on behalf of the user who started it. Raises Http404."""
    job = Job.objects.filter(pk=job_id, by=user_of(request)).first()
    if job is None:
        raise Http404
    return job


class JobView(ApiView):
    @extend_schema(summary="Show a job and its progress", responses={200: JobSerializer} | problems())
    def get(self, request: Request, job_id: int) -> Response:
        return Response(JobSerializer(find_job(request, job_id)).data)


class CancelJobView(ApiView):
    @extend_schema(
        summary="Cancel a job",
        description="It stops as soon as it can. A list is then not entered at all; records imported so far are kept.",
        request=None,
        responses={200: JobSerializer} | problems(*WRITE),
    )
    def post(self, request: Request, job_id: int) -> Response:
        job = cancel_job(find_job(request, job_id), at=timezone.now())
        return Response(JobSerializer(job).data)
