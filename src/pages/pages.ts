// The pages that payers see: payment links, bills, and the opt-out of scheduled bills. They need no
// key: the address is enough.

import type { FastifyInstance } from 'fastify'
import { keepBrowserRules } from '../web/browser-rules.ts'
import { readForms } from '../web/forms.ts'
import type { World } from '../world.ts'
import { answerPageErrors } from './answer-errors.tsx'
import { answerStep } from './answer-step.ts'
import { billPages, paymentOfBill } from './bill-pages.tsx'
import { limitPayers } from './limit-payers.ts'
import { linkPages, paymentThroughLink } from './link-pages.tsx'
import { lookRoutes } from './look-routes.ts'
import { FORM_ROUTE, refuseFromElsewhere } from './page-requests.ts'
import { sendReceipt } from './payment-page.tsx'
import { refusePaymentWhileAdvancing } from './payment-refusals.ts'
import { sandboxGatewayRoutes } from './sandbox-gateway.ts'
import { unsubscribePages } from './unsubscribe-pages.tsx'

export async function pageRoutes(app: FastifyInstance, world: World): Promise<void> {
  await app.register(async (own) => {
    keepBrowserRules(own)
    answerPageErrors(own, world)
    linkPages(own, world)
    billPages(own, world)
    lookRoutes(own, world)
    sandboxGatewayRoutes(own, world)
    stepRoutes(own, world)
    await unsubscribePages(own, world)
    await own.register(async (forms) => receiptRoutes(forms, world))
  })
}

const FINDERS = { '/pay': paymentThroughLink, '/bill': paymentOfBill } as const

function stepRoutes(own: FastifyInstance, world: World): void {
  for (const [place, find] of Object.entries(FINDERS)) {
    own.post<{ Params: { name: string; nonce: string } }>(
      `${place}/:name/:nonce/step`,
      FORM_ROUTE,
      async (request, reply) => {
        refuseFromElsewhere(request)
        await limitPayers(world, request, reply, 'token')
        const { name, nonce } = request.params
        return answerStep(world, reply, await find(world, name, nonce))
      },
    )
  }
}

/** These are plain HTML forms and need no script. */
function receiptRoutes(own: FastifyInstance, world: World): void {
  readForms(own)
  for (const [place, find] of Object.entries(FINDERS)) {
    own.post<{ Params: { name: string; nonce: string } }>(
      `${place}/:name/:nonce/receipt`,
      FORM_ROUTE,
      async (request, reply) => {
        refuseFromElsewhere(request)
        await limitPayers(world, request, reply, 'receipt')
        const { name, nonce } = request.params
        const page = await find(world, name, nonce)
        refusePaymentWhileAdvancing(page.payee)
        return sendReceipt(world, request, reply, page)
      },
    )
  }
}
