// The operators' pages. Without a session, only the sign-in answers under /admin. Each change
// requires the session's form token and writes an audit entry.

import cookie from '@fastify/cookie'
import type { FastifyInstance } from 'fastify'
import { startDueDeliveries } from '../deliveries/start-due-deliveries.ts'
import { keepBrowserRules } from '../web/browser-rules.ts'
import { readForms } from '../web/forms.ts'
import { UNKEPT } from '../web/html.ts'
import type { World } from '../world.ts'
import { answerConsoleErrors } from './answer-errors.tsx'
import { boardRoutes } from './board.ts'
import { requireOperator } from './guard.ts'
import { auditPages } from './pages/audit.tsx'
import { batchPages } from './pages/batches.tsx'
import { customerPages } from './pages/customers.tsx'
import { deliveryPages } from './pages/deliveries.tsx'
import { disputePages } from './pages/disputes.tsx'
import { endpointPages } from './pages/endpoints.tsx'
import { eventPages } from './pages/events.tsx'
import { invoicePages } from './pages/invoices.tsx'
import { operatorLinkPages } from './pages/links.tsx'
import { mePages } from './pages/me.tsx'
import { nowPages } from './pages/now.tsx'
import { operatorPages } from './pages/operators.tsx'
import { outboxPages } from './pages/outbox.tsx'
import { parkedPages } from './pages/parked.tsx'
import { requestPages } from './pages/requests.tsx'
import { schedulePages } from './pages/schedules.tsx'
import { searchPages } from './pages/search.tsx'
import { stoppedAddressPages } from './pages/stopped-addresses.ts'
import { teamPages } from './pages/teams.tsx'
import { transactionPages } from './pages/transactions.tsx'
import { workerPages } from './pages/workers.tsx'
import { passwordLinkRoutes } from './password-link.tsx'
import { signInRoutes } from './sign-in.tsx'

export async function consoleRoutes(app: FastifyInstance, world: World): Promise<void> {
  await app.register(
    async (own) => {
      await own.register(cookie)
      own.decorateRequest('operator', undefined)
      own.decorateRequest('actsFor', undefined)
      keepBrowserRules(own)
      own.addHook('onRequest', async (_request, reply) => {
        reply.header('cache-control', UNKEPT)
      })
      readForms(own)
      answerConsoleErrors(own, world)
      signInRoutes(own, world)
      passwordLinkRoutes(own, world)
      await own.register(async (signedIn) => {
        requireOperator(signedIn, world)
        // As after a merchant's request: receipts, bills and events of it go out at once.
        signedIn.addHook('onResponse', async ({ actsFor }) => {
          if (actsFor !== undefined) startDueDeliveries(world, actsFor)
        })
        nowPages(signedIn, world)
        batchPages(signedIn, world)
        disputePages(signedIn, world)
        schedulePages(signedIn, world)
        customerPages(signedIn, world)
        operatorLinkPages(signedIn, world)
        invoicePages(signedIn, world)
        searchPages(signedIn, world)
        transactionPages(signedIn, world)
        parkedPages(signedIn, world)
        endpointPages(signedIn, world)
        deliveryPages(signedIn, world)
        stoppedAddressPages(signedIn, world)
        eventPages(signedIn, world)
        outboxPages(signedIn, world)
        teamPages(signedIn, world)
        auditPages(signedIn, world)
        requestPages(signedIn, world)
        workerPages(signedIn, world)
        operatorPages(signedIn, world)
        mePages(signedIn, world)
      })
      boardRoutes(own, world)
    },
    { prefix: '/admin' },
  )
}
