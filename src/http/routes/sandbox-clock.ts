import assert from 'node:assert'
import { parseInstant } from '../../core/instant.ts'
import { endClock } from '../../sandbox-clock/end-clock.ts'
import { readClock } from '../../sandbox-clock/sandbox-clock.ts'
import { setClock } from '../../sandbox-clock/set-clock.ts'
import type { World } from '../../world.ts'
import { callerOf } from '../requests.ts'
import { ref } from '../schema/answers.ts'
import { newSandboxClock, sandboxClock } from '../schema/sandbox-clock.ts'
import type { RouteApp } from './route-app.ts'

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
          'After that the clock stops between requests. While the account has no transaction and no schedule, the first request may name any instant, past or future; later ones none before its newest row or before the clock. If work falls due up to that instant, the answer is `advancing`: batches, schedule runs, payment retries and deadlines are done in order, each at its own instant, and until the clock is `ready` the account can be read but not changed. An advance that would cause more than 100,000 runs, or whose runs take too long to count, is refused.',
        body: newSandboxClock,
        response: clock,
      },
    },
    (request) => {
      const target = parseInstant(request.body.now)
      assert(target !== undefined, 'the schema holds it to be an instant')
      return setClock(world, callerOf(request), request.id, target)
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
          'A clock behind real time advances to it first. A clock ahead of it returns at once if no work is pending.',
        response: clock,
      },
    },
    (request) => endClock(world, callerOf(request), request.id),
  )
}
