// Changes of the code that would lose or double money, or leave work behind, each with the test that
// must notice it.

export interface Mutant {
  readonly what: string
  readonly file: string
  readonly from: string
  readonly to: string
  /** A test file, and the project of vitest.config.ts that it runs in. */
  readonly test: string
  readonly project: 'alone' | 'alone far away' | 'on postgres'
}

const LATE = { test: 'test/payments/late-answers.test.ts', project: 'alone far away' } as const
const PAIRS = { test: 'test/payments/gateway-pairs.test.ts', project: 'alone far away' } as const
const GIVEN_UP = { test: 'test/payments/given-up.test.ts', project: 'alone far away' } as const
const CLOCK_RACE = {
  test: 'test/sandbox-clock/clock-race.test.ts',
  project: 'alone far away',
} as const

export const MUTANTS: readonly Mutant[] = [
  {
    what: 'a settled event is written before a change that was read before the freeze',
    file: 'src/settlement/write-settled-events.ts',
    from: 'if (!(await earlierCommitsEnd(world))) return soon()',
    to: '',
    test: 'test/settlement/closing-rules.test.ts',
    project: 'alone far away',
  },
  {
    what: 'two workers write the events of the same transactions',
    file: 'src/settlement/write-settled-events.ts',
    from: 'AND events_through IS NOT DISTINCT FROM $7::uuid',
    to: 'AND $7::uuid IS NOT DISTINCT FROM $7::uuid',
    test: 'test/settlement/at-once.test.ts',
    project: 'alone far away',
  },
  {
    what: 'a batch is frozen while a void of what is in it is accepted',
    file: 'src/payments/transaction/transaction-row.ts',
    from: "batchJoin('FOR KEY SHARE')",
    to: "batchJoin('OFFSET 0')",
    test: 'test/settlement/closing-rules.test.ts',
    project: 'alone far away',
  },
  {
    what: 'the outcome of an earlier take is recorded',
    file: 'src/payments/record/record-outcome.ts',
    from: "AND t.status = 'PENDING' AND t.attempt = i.attempt AND",
    to: "AND t.status = 'PENDING' AND",
    ...LATE,
  },
  {
    what: 'an earlier take gives back what a later one has in hand',
    file: 'src/payments/make/apply-finding.ts',
    from: "AND t.status = 'PENDING' AND t.attempt = i.attempt",
    to: "AND t.status = 'PENDING'",
    ...LATE,
  },
  {
    what: 'a follow-up is recorded though its parent is another by now',
    file: 'src/payments/record/record-outcome.ts',
    from: 'AND version = n.parent_version AND children = n.parent_children',
    to: '',
    ...LATE,
  },
  {
    what: 'a payment is recorded though its invoice is another by now',
    file: 'src/payments/record/record-outcome.ts',
    from: 'AND (i.invoice IS NULL OR v.ord IS NOT NULL)',
    to: '',
    ...LATE,
  },
  {
    what: 'a worker that is about to end takes what was on its way to it',
    file: 'workers/run.ts',
    from: 'world.queues.isDraining || ',
    to: '',
    test: 'test/service/drain.test.ts',
    project: 'on postgres',
  },
  {
    what: 'an outcome overwrites a change of its invoice',
    file: 'src/payments/record/record-outcome.ts',
    from: ' AND v.version = p.invoice_version',
    to: '',
    ...LATE,
  },
  {
    what: 'the next look at a payment may be after its deadline',
    file: 'src/payments/make/apply-finding.ts',
    from: 'earlier(next, deadlineAt)',
    to: 'next',
    ...LATE,
  },
  {
    what: 'the clock of an account is held without its lock',
    file: 'src/accounts/hold-clock.ts',
    from: 'FROM account WHERE id = $1 FOR SHARE',
    to: 'FROM account WHERE id = $1',
    ...LATE,
  },
  {
    what: 'a gathered statement holds the clocks of its accounts without their lock',
    file: 'src/accounts/hold-clock.ts',
    from: "AND mode = 'sandbox'\n        FOR SHARE",
    to: "AND mode = 'sandbox'",
    ...CLOCK_RACE,
  },
  {
    what: 'an outcome is recorded by a clock that is gone',
    file: 'src/payments/record/record-outcome.ts',
    from: "'c.clock_at IS NOT DISTINCT FROM i.clock_at'",
    to: "'true'",
    ...LATE,
  },
  {
    what: 'a charge is accepted while the clock is on its way',
    file: 'src/payments/accept/accept-payment.ts',
    from: ' AND c.clock_target IS NULL',
    to: '',
    ...LATE,
  },
  {
    what: 'a clock is set without regard to what is due',
    file: 'src/sandbox-clock/set-clock.ts',
    from: 'isAnythingDueBy(await findDues(query, accountId), target)',
    to: 'isAnythingDueBy(await findDues(query, accountId), target) && target < FIRST',
    ...CLOCK_RACE,
  },
  {
    what: 'a payment that was ordered fails unasked',
    file: 'src/payments/make/make-payment.ts',
    from: 'taken.attempt === 1',
    to: 'taken.attempt > 0',
    ...PAIRS,
  },
  {
    what: 'an order is sent late in its lease',
    file: 'src/payments/make/make-payment.ts',
    from: 'if (isShort(lease, world.clock.now())) return TOO_LATE',
    to: 'if (isShort(lease, world.clock.now())) world.log.warn(TOO_LATE.kind)',
    ...GIVEN_UP,
  },
  {
    what: 'the gateway gives up an order without barring it',
    file: 'src/outside/gateway/sandbox/gateway.ts',
    from: '    giveUp: (order) => giveUp(needs, order),',
    to: '    giveUp: (order) => lookUp(needs, order),',
    ...PAIRS,
  },
  {
    what: 'a silent gateway makes a payment fail at its deadline',
    file: 'src/core/transaction.ts',
    from: 'silent: { inTime: ASK_LATER, atDeadline: PARKED }',
    to: 'silent: { inTime: ASK_LATER, atDeadline: FAILED }',
    ...GIVEN_UP,
  },
  {
    what: 'an order that may still arrive is ordered again at once',
    file: 'src/payments/make/make-payment.ts',
    from: "found.kind === 'never_made' && mayStillArrive(world, taken)",
    to: "found.kind === 'never_made' && !mayStillArrive(world, taken) && taken.attempt < 0",
    ...GIVEN_UP,
  },
  {
    what: 'an operator’s word ends an order that is still on its way',
    file: 'src/operators/decide-payment.ts',
    from: 'if (!decision.made) await endAtGateway(',
    to: 'if (decision.made === undefined) await endAtGateway(',
    ...GIVEN_UP,
  },
  {
    what: 'what a gateway says is stored as it came',
    file: 'src/payments/make/ask-gateway.ts',
    from: "typeof value === 'string' ? storable(value) : value",
    to: "typeof value === 'string' ? String(value || storable(value)) : value",
    ...GIVEN_UP,
  },
  {
    what: 'another process claims what a worker has claimed',
    file: 'src/payments/take/take-payment.ts',
    from: "\n          AND (f.owed <> 'doubt' OR f.due_at <= i.now)",
    to: '',
    ...LATE,
  },
  {
    what: 'a repeat of a key is charged again',
    file: 'src/payments/accept/accept-payment.ts',
    from: 'WHERE idempotency_id IS NULL OR EXISTS (SELECT FROM keyed WHERE resource_id = k.id::text)',
    to: '',
    test: 'test/payments/idempotency.test.ts',
    project: 'alone far away',
  },
  {
    what: 'what a failed follow-up reserved stays reserved',
    file: 'src/payments/record/outcome-effects.ts',
    from: 'parent.reserved - (isVoid ? 0n : child.total)',
    to: 'parent.reserved - (isVoid || !isDone ? 0n : child.total)',
    test: 'test/payments/follow-up-deadline.test.ts',
    project: 'alone far away',
  },
  {
    what: 'a refund under way does not count',
    file: 'src/core/follow-up.ts',
    from: 'const left = t.captured - t.refunded - t.reserved',
    to: 'const left = t.captured - t.refunded',
    test: 'test/core/follow-up-properties.test.ts',
    project: 'alone far away',
  },
  {
    what: 'what a void did not get leaves its batch',
    file: 'src/payments/record/outcome-effects.ts',
    from: 'isBack ? await openBatchOf(world, parent) : null',
    to: 'isBack && isDone ? await openBatchOf(world, parent) : null',
    test: 'test/settlement/settle-batch.test.ts',
    project: 'alone far away',
  },
  {
    what: 'a success joins a batch whose cutoff is past',
    file: 'src/payments/record/join-batch.ts',
    from: "AND status = 'open' AND cutoff_at > ",
    to: "AND status = 'open' AND cutoff_at + interval '9 days' > ",
    test: 'test/settlement/settle-batch.test.ts',
    project: 'alone far away',
  },
  {
    what: 'a round waits for the row of one account',
    file: 'src/db/database.ts',
    from: 'lock_timeout: HOT_LOCK_TIMEOUT_MS',
    to: 'lock_timeout: 600 * HOT_LOCK_TIMEOUT_MS',
    test: 'test/db/held-rows.test.ts',
    project: 'alone',
  },
  {
    what: "the owner of a connected account writes a dispute of another team's payment",
    file: 'src/payments/afterwards/hold-named.ts',
    from: "(t.auth_id = p.gateway_id OR t.auth_id IS NULL AND t.status = 'PENDING')\n  UNION ALL",
    to: 't.auth_id = t.auth_id\n  UNION ALL',
    test: 'test/live/disputes.test.ts',
    project: 'alone',
  },
  {
    what: 'news of a payment whose outcome is not recorded yet is lost',
    file: 'src/settlement/read-feeds.ts',
    from: 'through: isAllWritten ? began : later(readThrough, giveUpBefore),',
    to: 'through: began,',
    test: 'test/live/disputes.test.ts',
    project: 'alone',
  },
  {
    what: 'a batch is deposited before all its payments are paid out',
    file: 'src/settlement/deposit-by-payouts.ts',
    from: 'WHEN sum(p.count) >= $3',
    to: 'WHEN sum(p.count) >= $3 - $3',
    test: 'test/live/deposits.test.ts',
    project: 'alone',
  },
  {
    what: 'checkout: an order is given up before the records are complete',
    file: 'src/outside/gateway/checkout/give-up.ts',
    from: 'return askedAt >= decidedBy',
    to: 'return askedAt >= since',
    test: 'test/checkout/giving-up.test.ts',
    project: 'alone',
  },
  {
    what: 'checkout: a refund is given up by a key that may hold for payments only',
    file: 'src/outside/gateway/checkout/give-up.ts',
    from: '(await isBlockedEverywhere(needs, order, signal))',
    to: 'isBlocker(order, reply)',
    test: 'test/checkout/giving-up.test.ts',
    project: 'alone',
  },
  {
    what: 'checkout: a refusal is believed that may be caused by the order itself',
    file: 'src/outside/gateway/checkout/carry-out.ts',
    from: 'if (isExplained(order, record)) {',
    to: 'if (isExplained(order, record) || own === undefined) {',
    test: 'test/checkout/giving-up.test.ts',
    project: 'alone',
  },
]
