// Shows, sets, advances and ends the clock of a sandbox account.

import assert from 'node:assert'
import type { FastifyReply } from 'fastify'
import { parseInstant } from '../../core/instant.ts'
import { Type } from '../../resource/json-schema.ts'
import { instant } from '../../resource/schemas.ts'
import { awaitClock } from '../../sandbox-clock/await-clock.ts'
import { endClock } from '../../sandbox-clock/end-clock.ts'
import { type ClockView, readClock } from '../../sandbox-clock/sandbox-clock.ts'
import { setClock } from '../../sandbox-clock/set-clock.ts'
import type { World } from '../../world.ts'
import { callerOf, prefersAsync } from '../requests.ts'
import { ref, resourceSchema } from '../schema/answers.ts'
import type { RouteApp } from './route-app.ts'

const EXAMPLE = '2026-03-07T12:00:00Z'

const newSandboxClock = Type.Object(
  {
    now: instant(
      "ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; UTC unless it names an offset. From 1970 to 8999, and at most ten years ahead of the account's current time, except for the first setting in an account without transactions and schedules.",
      EXAMPLE,
    ),
  },
  { examples: [{ now: EXAMPLE }] },
)

export const sandboxClock = resourceSchema('SandboxClock', {
  now: Type.Unsafe<Date>({ type: 'string', format: 'date-time' }),
  status: Type.Enum(['ready', 'advancing']),
  target: Type.Unsafe<Date | null>({
    type: ['string', 'null'],
    format: 'date-time',
    description: 'The instant to which it is being advanced.',
  }),
  progress: Type.Unsafe<number | null>({
    type: ['number', 'null'],
    minimum: 0,
    maximum: 1,
    description: 'The part of the advance that is done.',
  }),
})

const PATH = '/sandbox/clock'

export function sandboxClockRoutes(app: RouteApp, world: World): void {
  const common = { tags: ['Account'] }
  const clock = { 200: ref(sandboxClock) }

  app.get(
    PATH,
    {
      config: { refusals: ['sandbox_only'] },
      schema: {
        ...common,
        summary: 'Get the current time of the account',
        operationId: 'getSandboxClock',
        description: 'Returns real time, unless the account has set its clock.',
        response: clock,
      },
    },
    (request) => readClock(world, callerOf(request)),
  )

  app.post(
    PATH,
    {
      config: { refusals: ['sandbox_only', 'clock_backwards', 'clock_advance_too_large'] },
      schema: {
        ...common,
        summary: 'Set or advance the clock of a sandbox account',
        operationId: 'setSandboxClock',
        description:
          'After that the clock stops between requests. While the account has no transaction and no schedule, the first request may name any instant, past or future; later ones none before its newest row or before the clock. If work falls due up to that instant, the clock is `advancing`: batches, schedule runs, payment retries and deadlines are done in order, each at its own instant, and until it is `ready` the account can be read but not changed. The answer waits for that as a charge does: an advance that takes longer is 200 and `advancing`, and with `Prefer: respond-async` the answer is 202 at once. An advance that would cause more than 100,000 runs, or whose runs would write more than 500 MB of `meta` or take too long to count, is refused.',
        body: newSandboxClock,
        response: { ...clock, 202: ref(sandboxClock) },
      },
    },
    async (request, reply) => {
      const target = parseInstant(request.body.now)
      assert(target !== undefined, 'the schema holds it to be an instant')
      const started = await setClock(world, callerOf(request), request.id, target)
      if (started.status === 'advancing' && prefersAsync(request.headers)) {
        return reply.code(202).header('location', PATH).send(started)
      }
      return answerClock(world, reply, started)
    },
  )

  app.delete(
    PATH,
    {
      config: { refusals: ['sandbox_only', 'clock_ahead', 'clock_advance_too_large'] },
      schema: {
        ...common,
        summary: 'Return a sandbox account to real time',
        operationId: 'deleteSandboxClock',
        description:
          'A clock behind real time advances to it first, and the answer waits for that as after `POST`. A clock ahead of it returns at once if no work is pending.',
        response: clock,
      },
    },
    async (request, reply) => {
      const started = await endClock(world, callerOf(request), request.id)
      return answerClock(world, reply, started)
    },
  )
}

/** When the clock is ready, or the wait is over. */
async function answerClock(
  world: World,
  reply: FastifyReply,
  started: ClockView,
): Promise<FastifyReply> {
  const { request } = reply
  if (started.status === 'ready') return reply.send(started)
  request.place?.endWork()
  const wait = new AbortController()
  const end = () => wait.abort()
  const timeUp = setTimeout(end, world.config.chargeWaitMs - reply.elapsedTime)
  reply.raw.once('close', end)
  try {
    return reply.send(await awaitClock(world, callerOf(request), wait.signal))
  } finally {
    clearTimeout(timeUp)
  }
}
