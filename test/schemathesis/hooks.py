import os
import uuid

import schemathesis

OWN_KEY = os.environ.get("PORTING_KEY_ID")


@schemathesis.hook
def before_call(ctx, case, kwargs):
    """The key that the run itself uses is not revoked: every request after that would be refused."""
    if case.method.upper() == "DELETE" and case.path == "/v2/api_keys/{id}":
        if case.path_parameters.get("id") == OWN_KEY:
            case.path_parameters["id"] = str(uuid.UUID(int=0))
