"""The client against a service, whose address, key and card are in the environment."""

import decimal
import http.server
import os
import threading
import time
import unittest

from lamplighter import (
    ApiError,
    Client,
    ConnectionError,
    DeclinedError,
    RateLimitError,
    SignatureError,
    verify_webhook,
)

KEY = os.environ["KEY"]
CARD = os.environ["CARD"]
DECLINED_CARD = os.environ["DECLINED_CARD"]
UNKNOWN = "01941f29-7c00-7000-8000-000000000001"
OTHER_SECRET = "whsec_" + "A" * 32

client = Client(url=os.environ["API"], key=KEY)


class Receiver(http.server.ThreadingHTTPServer):
    """Keeps what is posted to it, and answers each request with the next answer."""

    def __init__(self, *answers):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answers = list(answers)
        self.received = []
        self.came = threading.Event()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}"

    def __exit__(self, *error):
        self.shutdown()
        super().__exit__(*error)


class _Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        self.server.received.append((dict(self.headers), body))
        status, headers, text = self.server.answers.pop(0)
        self.send_response(status)
        for name, value in {"Content-Length": str(len(text)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text)
        self.server.came.set()

    do_GET = do_POST

    def log_message(self, *_):
        pass


class ClientTest(unittest.TestCase):
    def test_makes_changes_and_finds_a_customer(self):
        made = client.create_customer({"firstname": "Ada", "email": "python@example.com"})
        client.update_customer(made["id"], {"notes": "Likes tea."})
        read = client.get_customer(made["id"])
        self.assertEqual("Likes tea.", read["notes"])
        found = client.list_customers({"email": "python@example.com", "sort": "firstname"})
        self.assertEqual([1, [read]], [found["total"], found["data"]])

    def test_tells_a_declined_payment_from_a_refused_request(self):
        with self.assertRaises(DeclinedError) as declined:
            client.create_charge({"total": "1.00", "payment_method_id": DECLINED_CARD})
        self.assertEqual("FAILED", declined.exception.transaction["status"])
        self.assertEqual(["declined", 400], [declined.exception.code, declined.exception.status])
        with self.assertRaises(ApiError) as refused:
            client.create_charge({"total": 0, "payment_method_id": CARD})
        self.assertEqual({"total": ["must be at least 0.01"]}, refused.exception.errors)
        self.assertTrue(refused.exception.request_id)
        with self.assertRaises(ApiError) as missing:
            client.get_transaction(UNKNOWN)
        self.assertEqual([404, "not_found"], [missing.exception.status, missing.exception.code])

    def test_no_id_changes_the_path(self):
        for id in ["", "..", "a/b", "a?b", None]:
            with self.assertRaises(ValueError):
                client.delete_customer(id)

    def test_charges_once_though_an_answer_is_lost_and_the_service_is_busy(self):
        flaky = Client(url=os.environ["FAULTY"], key=KEY)
        started = time.monotonic()
        total = decimal.Decimal("8.88")
        paid = flaky.create_charge({"total": total, "payment_method_id": CARD})
        self.assertGreater(time.monotonic() - started, 1)
        charges = list(client.each("list_transactions", {"total": total}))
        self.assertEqual([paid["id"]], [one["id"] for one in charges])

    def test_repeats_a_charge_by_the_key_of_its_caller(self):
        body = {"total": 5.55, "payment_method_id": CARD}
        asked = client.create_charge(body, idempotency_key="order-2", respond_async=True)
        self.assertEqual("PENDING", asked["status"])
        again = client.create_charge(body, idempotency_key="order-2")
        self.assertEqual([asked["id"], "SUCCESS"], [again["id"], again["status"]])

    def test_gives_up_in_the_end_and_never_repeats_what_would_be_done_twice(self):
        with self.assertRaises(ConnectionError):
            Client(url="http://127.0.0.1:9", key="none", max_retries=0).get_self()
        wait = b'{"error": "rate_limited", "message": "Wait."}'
        json = {"Content-Type": "application/json"}
        answers = [(429, {"Retry-After": "3600", **json}, wait), (503, {}, b""), (409, json, wait)]
        with Receiver(*answers) as busy:
            other = Client(url=busy.url, key="none")
            with self.assertRaises(RateLimitError) as later:
                other.get_self()
            self.assertEqual(3600, later.exception.retry_after)
            with self.assertRaises(ApiError):
                other.roll_webhook_secret("one")
            with self.assertRaises(ApiError):
                other.create_customer({"firstname": "Ada"})
            self.assertEqual(3, len(busy.received))

    def test_walks_a_list_page_by_page_and_reads_it_as_csv(self):
        ids = [
            client.create_charge({"total": total, "payment_method_id": CARD})["id"]
            for total in (21, 22, 23, 24, 25)
        ]
        query = {"minTotal": 21, "maxTotal": 25, "success": True, "limit": 2}
        walked = [one["id"] for one in client.each("list_transactions", query)]
        self.assertEqual(ids[::-1], walked)
        self.assertEqual(6, len(client.csv("list_transactions", query).strip().splitlines()))

    def test_walks_past_what_the_caller_deletes_on_its_way(self):
        names = ["Ada", "Grace", "Mary", "Emmy", "Lise"]
        made = [client.create_customer({"firstname": name, "company": "Gone"}) for name in names]
        walked = []
        for one in client.each("list_customers", {"company": "Gone", "limit": 2}):
            walked.append(one["id"])
            client.delete_customer(one["id"])
        self.assertEqual(sorted(one["id"] for one in made), sorted(walked))

    def test_a_decimal_may_have_zeros_after_its_cents(self):
        links = [
            client.create_payment_link({"common_name": "Tea", "amount": decimal.Decimal(amount)})
            for amount in ["4.100", "4.1", "4", "4.0000", "1E+1"]
        ]
        self.assertEqual([4.1, 4.1, 4, 4, 10], [one["amount"] for one in links])
        for amount in ["4.101", "4.001", "NaN", "Infinity"]:
            with self.assertRaises(ApiError):
                client.create_payment_link({"common_name": "Tea", "amount": decimal.Decimal(amount)})

    def test_an_empty_idempotency_key_is_not_replaced(self):
        with self.assertRaises(ApiError) as refused:
            client.create_customer({"firstname": "Ada"}, idempotency_key="")
        self.assertEqual(["Idempotency-Key"], list(refused.exception.errors))

    def test_warns_of_fields_that_the_service_ignored(self):
        ignoring = {"Content-Type": "application/json", "Ignored-Fields": "channel, x-idempotency-key"}
        answers = [(200, ignoring, b"{}"), (400, ignoring, b'{"error": "invalid_request"}')]
        with Receiver(*answers) as older:
            other = Client(url=older.url, key="none")
            with self.assertWarnsRegex(UserWarning, "ignored channel, x-idempotency-key in create_c"):
                other.create_customer({"firstname": "Ada"})
            with self.assertWarns(UserWarning) as warned, self.assertRaises(ApiError):
                other.create_charge({"total": 1, "payment_method_id": CARD})
            self.assertEqual(__file__, warned.filename)

    def test_verifies_a_webhook_and_refuses_a_forged_one(self):
        with Receiver((204, {}, b"")) as receiver:
            endpoint = {"target_url": receiver.url, "event": "create_payment_link"}
            webhook = client.create_webhook(endpoint)
            made = client.create_payment_link({"common_name": "Tea", "amount": 4.5})
            self.assertTrue(receiver.came.wait(20))
            client.delete_webhook(webhook["id"])
        headers, body = receiver.received[0]
        secret = webhook["secret"]
        event = verify_webhook(body, headers, [OTHER_SECRET, secret])
        self.assertEqual(["create_payment_link", made], [event.name, event.data])
        forgeries = [
            (body.replace(b"Tea", b"Gin"), headers, secret, {}),
            (body, {**headers, "webhook-id": "other"}, secret, {}),
            (body, headers, OTHER_SECRET, {}),
            (body, headers, secret, {"now": time.time() + 301}),
            (body, {}, secret, {}),
        ]
        for forged_body, forged_headers, one, options in forgeries:
            with self.assertRaises(SignatureError):
                verify_webhook(forged_body, forged_headers, one, **options)


if __name__ == "__main__":
    unittest.main()
