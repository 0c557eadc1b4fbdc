"""Every address of the API."""

from django.urls import include, path, re_path
from django.views.generic import RedirectView

from accounts.api.tokens import SignIn, SignOut, TokenDetail, TokenList
from accounts.api.views import Me, TeamList
from benchmarks.api import BenchmarkList, Definition, TaskIds, TermsDetail
from benchmarks.notices.api import WrittenPages
from breaking.api import HandedIn, PairFileDetail, WithdrawPairs
from breaking.contests.api import ContestDetail, ContestList, Retract, Voice
from breaking.development import BlindPredictions
from config.api.errors import NoSuchAddress
from config.api.index import Index
from config.api.schema import OpenApiDocument
from leaderboard.api import ArchiveFile, ArchiveList, PublishedBoard, ReleaseList, SubmissionDetail
from leaderboard.serving.equity_views import SubmissionEquity
from scoring.api import GoldKey
from submissions.api.fact_sheets import FactSheetDetail
from submissions.api.registrations import Registrations
from submissions.api.views import (
    BenchmarkDetail,
    Choose,
    RepairedUpload,
    SubmissionList,
    SystemDetail,
    SystemList,
    UploadedFile,
    Withdraw,
)

RELEASES = "benchmarks/<slug:benchmark>/releases/"

v1 = [
    path("", Index.as_view(), name="index"),
    path("me/", Me.as_view(), name="me"),
    path("auth/login/", SignIn.as_view(), name="sign-in"),
    path("auth/logout/", SignOut.as_view(), name="sign-out"),
    path("tokens/", TokenList.as_view(), name="tokens"),
    path("tokens/<str:key>/", TokenDetail.as_view(), name="token"),
    path("teams/", TeamList.as_view(), name="teams"),
    path("systems/", SystemList.as_view(), name="systems"),
    path("systems/<uuid:pk>/", SystemDetail.as_view(), name="system"),
    path("systems/<uuid:pk>/fact-sheets/<slug:benchmark>/", FactSheetDetail.as_view(), name="fact-sheet"),
    path("registrations/", Registrations.as_view(), name="registrations"),
    path("repairs/<slug:token>/", RepairedUpload.as_view(), name="repaired"),
    path("submissions/", SubmissionList.as_view(), name="submissions"),
    path("submissions/<uuid:pk>/", SubmissionDetail.as_view(), name="submission"),
    path("submissions/<uuid:pk>/withdraw/", Withdraw.as_view(), name="withdraw"),
    path("submissions/<uuid:pk>/choose/", Choose.as_view(), name="choose"),
    path("submissions/<uuid:pk>/file/", UploadedFile.as_view(), name="file"),
    path("submissions/<uuid:pk>/equity/", SubmissionEquity.as_view(), name="equity"),
    path(
        "benchmarks/<slug:benchmark>/blind/<slug:task>.csv",
        BlindPredictions.as_view(),
        name="blind-predictions",
    ),
    path("pairs/", HandedIn.as_view(), name="pairs"),
    path("pairs/<uuid:pk>/", PairFileDetail.as_view(), name="pair-file"),
    path("pairs/<uuid:pk>/withdraw/", WithdrawPairs.as_view(), name="withdraw-pairs"),
    path("contests/", ContestList.as_view(), name="contests"),
    path("contests/<uuid:pk>/", ContestDetail.as_view(), name="contest"),
    path("contests/<uuid:pk>/voices/", Voice.as_view(), name="voices"),
    path("contests/<uuid:pk>/retract/", Retract.as_view(), name="retract-contest"),
    path("gold-key/", GoldKey.as_view(), name="gold-key"),
    path("benchmarks/", BenchmarkList.as_view(), name="benchmarks"),
    path("benchmarks/<slug:benchmark>/", BenchmarkDetail.as_view(), name="benchmark"),
    path("benchmarks/<slug:benchmark>/definition/", Definition.as_view(), name="definition"),
    path("benchmarks/<slug:benchmark>/terms/", TermsDetail.as_view(), name="terms"),
    path("benchmarks/<slug:benchmark>/pages/", WrittenPages.as_view(), name="pages"),
    path("benchmarks/<slug:benchmark>/tasks/<slug:task>/ids/", TaskIds.as_view(), name="task-ids"),
    path("benchmarks/<slug:benchmark>/archives/", ArchiveList.as_view(), name="archives"),
    path("benchmarks/<slug:benchmark>/archives/newest.zip", ArchiveFile.as_view(), name="archive"),
    path(RELEASES, ReleaseList.as_view(), name="releases"),
    path(f"{RELEASES}latest/", PublishedBoard.as_view(), name="latest-release"),
    path(f"{RELEASES}latest/tasks/<slug:task>/", PublishedBoard.as_view(), name="latest-task-board"),
    path(f"{RELEASES}latest/boards/<slug:board>/", PublishedBoard.as_view(), name="latest-board"),
    path(f"{RELEASES}<int:number>/boards/<slug:board>/", PublishedBoard.as_view(), name="board"),
    path(f"{RELEASES}<int:number>/", PublishedBoard.as_view(), name="release"),
    path(f"{RELEASES}<int:number>/tasks/<slug:task>/", PublishedBoard.as_view(), name="task-board"),
]

urlpatterns = [
    path("schema/", OpenApiDocument.as_view(), name="api-schema"),
    path("docs/", RedirectView.as_view(pattern_name="handbook:addresses"), name="api-docs"),
    path("v1/", include((v1, "api"))),
    re_path("", NoSuchAddress.as_view()),
]
