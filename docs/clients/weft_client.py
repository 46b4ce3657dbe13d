"""A client of Weft with nothing but Python's standard library (3.9 or newer).

    python3 weft_client.py http://127.0.0.1:8080 imaging-cohort inputs.json

starts the network with the inputs of the file, waits for its end, prints its output object as JSON, and ends with 0
where the run is COMPLETE. Ctrl-C aborts the run. Where the server asks who you are, its token is read from WEFT_TOKEN.
As a module: from weft_client import Weft.
"""

import json
import os
import sys
import urllib.error
import urllib.parse
import urllib.request
import uuid

FINAL = {"COMPLETE", "EXECUTOR_ERROR", "SYSTEM_ERROR", "CANCELED", "PREEMPTED"}


class WeftError(Exception):
    """What the server refused: `problem` is its own explanation (RFC 9457)."""

    def __init__(self, status, problem):
        places = ["{}: {}".format(e.get("pointer") or e.get("parameter"), e["detail"]) for e in problem.get("errors", [])]
        super().__init__("; ".join([problem.get("detail", "the server answered {}".format(status))] + places))
        self.status = status
        self.problem = problem


class Weft:
    def __init__(self, base, token=None, timeout=90):
        """`base` is the address of the server; `timeout` (seconds) must be longer than the longest wait."""
        self.base = base.rstrip("/")
        self.headers = {"Accept": "application/json"}
        self.timeout = timeout
        if token:
            self.headers["Authorization"] = "Bearer " + token

    def request(self, method, path, body=None, headers=None, **query):
        """Answers (status, headers, bytes); raises WeftError for a refusal. Queries that are None are left out."""
        given = {name: value for name, value in query.items() if value is not None}
        url = self.base + path + ("?" + urllib.parse.urlencode(given) if given else "")
        sent = {**self.headers, **(headers or {})}
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
            sent["Content-Type"] = "application/json"
        request = urllib.request.Request(url, data=body, headers=sent, method=method)
        try:
            with urllib.request.urlopen(request, timeout=self.timeout) as answer:
                return answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as refusal:
            if refusal.code == 304:
                return refusal.code, refusal.headers, b""
            text = refusal.read()
            is_problem = "json" in refusal.headers.get("Content-Type", "")
            raise WeftError(refusal.code, json.loads(text) if is_problem else {}) from None

    def get(self, path, **query):
        return json.loads(self.request("GET", path, **query)[2])

    def pages(self, path, field, **query):
        """Every entry of a list, page after page."""
        token = ""
        while True:
            page = self.get(path, page_token=token or None, **query)
            yield from page[field]
            token = page["next_page_token"]
            if not token:
                return

    def upload(self, name, content):
        """Stores bytes on the server; the answer is a File to put into inputs."""
        headers = {"Content-Type": "application/octet-stream"}
        stored = json.loads(self.request("POST", "/api/files", body=content, headers=headers, name=name)[2])
        return {"class": "File", "location": stored["location"]}

    def start(self, network, inputs, **more):
        """Starts a run, once however often the request has to be sent; `more`: name, version, tags, options."""
        headers = {"Idempotency-Key": str(uuid.uuid4())}
        body = {"network": network, "inputs": inputs, **more}
        return json.loads(self.request("POST", "/api/runs", body=body, headers=headers)[2])

    def status(self, run_id):
        return self.get("/api/runs/{}/status".format(run_id))

    def wait(self, run_id):
        """Resolves when the run has ended. The server answers when something has changed, at the latest after 30 s."""
        tag = None
        while True:
            headers = {"Prefer": "wait=30"}
            if tag:
                headers["If-None-Match"] = tag
            code, answered, text = self.request("GET", "/api/runs/{}/status".format(run_id), headers=headers)
            tag = answered.get("ETag")
            if code != 304:
                status = json.loads(text)
                if status["state"] in FINAL:
                    return status

    def jobs(self, run_id, **query):
        return self.pages("/api/runs/{}/jobs".format(run_id), "jobs", **query)

    def log(self, run_id, job_id, stream="stderr", tail=None):
        """What a job wrote; `tail`: only the last so many bytes."""
        path = "/api/runs/{}/jobs/{}/log".format(run_id, urllib.parse.quote(job_id))
        return self.request("GET", path, headers={"Accept": "*/*"}, stream=stream, tail=tail)[2].decode(errors="replace")

    def outputs(self, run_id):
        return self.get("/api/runs/{}/outputs".format(run_id))["outputs"]

    def download(self, location):
        """The bytes of an output file, by the `location` of its File."""
        path = urllib.parse.urlsplit(location).path
        prefix = urllib.parse.urlsplit(self.base).path
        return self.request("GET", path[len(prefix):], headers={"Accept": "*/*"})[2]

    def abort(self, run_id):
        """Ends every process of the run; resolves when the server has the proof that none is left."""
        self.request("DELETE", "/api/runs/{}".format(run_id))
        return self.wait(run_id)


def main(arguments):
    if len(arguments) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    base, network, inputs_file = arguments
    weft = Weft(base, token=os.environ.get("WEFT_TOKEN"))
    with open(inputs_file, encoding="utf-8") as file:
        inputs = json.load(file)
    try:
        run = weft.start(network, inputs)
        try:
            print("run {}".format(run["url"]), file=sys.stderr, flush=True)
            status = weft.wait(run["run_id"])
        except KeyboardInterrupt:
            status = weft.abort(run["run_id"])
    except WeftError as error:
        print("refused: {}".format(error), file=sys.stderr)
        return 1
    for job in weft.jobs(run["run_id"], state="EXECUTOR_ERROR,SYSTEM_ERROR"):
        print("job {} failed: {}".format(job["job_id"], weft.log(run["run_id"], job["job_id"], tail=2000)), file=sys.stderr)
    print(json.dumps(weft.outputs(run["run_id"]), indent=2))
    print(status["state"], file=sys.stderr)
    return 0 if status["state"] == "COMPLETE" else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
