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
import { monthPages } from './batches/month-page.tsx'
import { batchFileRoute, ONE_BATCH } from './batches/one.tsx'
import { boardRoutes } from './board.ts'
import { CUSTOMER_LIST } from './customers/list.tsx'
import { ONE_CUSTOMER } from './customers/one.tsx'
import { failedDeliveryRoutes } from './deliveries/failed.tsx'
import { DELIVERY_LIST } from './deliveries/list.tsx'
import { ONE_DELIVERY } from './deliveries/one.tsx'
import { stoppedAddressRoutes } from './deliveries/stopped-addresses.tsx'
import { ENDPOINT_LIST } from './endpoints/list.tsx'
import { NEW_ENDPOINT } from './endpoints/new.tsx'
import { ONE_ENDPOINT } from './endpoints/one.tsx'
import { EVENT_LIST } from './events/list.tsx'
import { ONE_EVENT } from './events/one.tsx'
import { requireOperator } from './guard.ts'
import { INVOICE_LIST } from './invoices/list.tsx'
import { NEW_INVOICE } from './invoices/new.tsx'
import { ONE_INVOICE } from './invoices/one.tsx'
import { LINK_LIST } from './links/list.tsx'
import { NEW_LINK } from './links/new.tsx'
import { ONE_LINK } from './links/one.tsx'
import { nowPages } from './now/page.tsx'
import { OPERATOR_LIST } from './operators/list.tsx'
import { ME, SECOND_FACTOR } from './operators/me.tsx'
import { NEW_OPERATOR } from './operators/new.tsx'
import { ONE_OPERATOR } from './operators/one.tsx'
import { OUTBOX_LIST } from './outbox/list.tsx'
import { letterRoute, ONE_MESSAGE } from './outbox/one.tsx'
import { AUDIT_LIST } from './pages/audit.tsx'
import { disputeList } from './pages/disputes.tsx'
import { REQUEST_LIST } from './pages/requests.tsx'
import { searchPages } from './pages/search.tsx'
import { workerPages } from './pages/workers.tsx'
import { parkedPages } from './parked/page.tsx'
import { addListPage } from './parts/list-page.tsx'
import { addObjectPage } from './parts/object-page.tsx'
import { passwordLinkRoutes } from './password-link.tsx'
import { SCHEDULE_LIST } from './schedules/list.tsx'
import { ONE_SCHEDULE } from './schedules/one.tsx'
import { signInRoutes } from './sign-in.tsx'
import { TEAM_LIST } from './teams/list.tsx'
import { NEW_TEAM } from './teams/new.tsx'
import { ONE_TEAM } from './teams/one.tsx'
import { ONE_KEY } from './teams/one-key.tsx'
import { TRANSACTION_LIST } from './transactions/list.tsx'
import { ONE_TRANSACTION } from './transactions/one.tsx'

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
        addLists(signedIn, world)
        addPages(signedIn, world)
        addOtherPages(signedIn, world)
      })
      boardRoutes(own, world)
    },
    { prefix: '/admin' },
  )
}

function addLists(own: FastifyInstance, world: World): void {
  addListPage(own, world, AUDIT_LIST)
  addListPage(own, world, CUSTOMER_LIST)
  addListPage(own, world, DELIVERY_LIST)
  addListPage(own, world, disputeList(world))
  addListPage(own, world, ENDPOINT_LIST)
  addListPage(own, world, EVENT_LIST)
  addListPage(own, world, INVOICE_LIST)
  addListPage(own, world, LINK_LIST)
  addListPage(own, world, OPERATOR_LIST)
  addListPage(own, world, OUTBOX_LIST)
  addListPage(own, world, REQUEST_LIST)
  addListPage(own, world, SCHEDULE_LIST)
  addListPage(own, world, TEAM_LIST)
  addListPage(own, world, TRANSACTION_LIST)
}

function addPages(own: FastifyInstance, world: World): void {
  addObjectPage(own, world, ME)
  addObjectPage(own, world, NEW_ENDPOINT)
  addObjectPage(own, world, NEW_INVOICE)
  addObjectPage(own, world, NEW_LINK)
  addObjectPage(own, world, NEW_OPERATOR)
  addObjectPage(own, world, NEW_TEAM)
  addObjectPage(own, world, ONE_BATCH)
  addObjectPage(own, world, ONE_CUSTOMER)
  addObjectPage(own, world, ONE_DELIVERY)
  addObjectPage(own, world, ONE_ENDPOINT)
  addObjectPage(own, world, ONE_EVENT)
  addObjectPage(own, world, ONE_INVOICE)
  addObjectPage(own, world, ONE_KEY)
  addObjectPage(own, world, ONE_LINK)
  addObjectPage(own, world, ONE_MESSAGE)
  addObjectPage(own, world, ONE_OPERATOR)
  addObjectPage(own, world, ONE_SCHEDULE)
  addObjectPage(own, world, ONE_TEAM)
  addObjectPage(own, world, ONE_TRANSACTION)
  addObjectPage(own, world, SECOND_FACTOR)
}

/** Those with routes of their own: the menu's first pages, calendars, files. */
function addOtherPages(own: FastifyInstance, world: World): void {
  nowPages(own, world)
  parkedPages(own, world)
  searchPages(own, world)
  monthPages(own, world)
  batchFileRoute(own, world)
  failedDeliveryRoutes(own, world)
  stoppedAddressRoutes(own, world)
  letterRoute(own, world)
  workerPages(own, world)
}
