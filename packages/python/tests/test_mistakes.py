"""Mistakes in a call are refused before anything is sent: the client has no service to reach."""

import unittest

from lamplighter import Client, ConnectionError

client = Client(url="http://127.0.0.1:9", key="none", max_retries=0)


class MistakesTest(unittest.TestCase):
    def refused(self, says, call, *args, **options):
        with self.assertRaisesRegex(ValueError, says):
            call(*args, **options)

    def test_a_filter_that_would_send_nothing(self):
        says = "^list_transactions got no value for customer_id: leave it out, or give a value$"
        for nothing in [None, [], (), [None], ["tea", None]]:
            query = {"status": "SUCCESS", "customer_id": nothing}
            self.refused(says, client.list_transactions, query)
            self.refused(says, client.csv, "list_transactions", query)
            self.refused(says, lambda: list(client.each("list_transactions", query)))
        for name in ["page", "limit", "per_page"]:
            self.refused(name, lambda: list(client.each("list_events", {name: None})))

    def test_a_field_that_the_operation_does_not_have(self):
        for call, body, says in [
            ("create_charge", {"preauth": True}, "preauth: did you mean pre_auth\\?"),
            ("create_charge", {"idempotency_key": "1"}, "idempotency_key: did you mean idempotency_id"),
            ("create_charge", {"amount": None}, "amount: it has total, payment_method_id, meta, "),
            ("create_payment_link", {"amout": 5}, "amout: did you mean amount"),
            ("create_schedule", {"time_zone": "UTC"}, "time_zone: did you mean timezone"),
            ("query_payment_links", {"linkMeta": {}}, "linkMeta: did you mean link_meta"),
        ]:
            self.refused(f"^{call} has no field {says}", getattr(client, call), body)
        self.refused("no field tip: it has amount, total", client.refund_transaction, "one", {"tip": 1})

    def test_the_control_would_be_sent(self):
        with self.assertRaises(ConnectionError):
            client.list_transactions({"status": "SUCCESS", "keywords": ["tea"]})


if __name__ == "__main__":
    unittest.main()
