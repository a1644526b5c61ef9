// The pages that payers see: payment links, bills, and the opt-out of scheduled bills. They need no
// key: the address is enough.

import type { FastifyInstance } from 'fastify'
import { keepBrowserRules } from '../web/browser-rules.ts'
import { readForms, STRANGERS_FORM } from '../web/forms.ts'
import type { World } from '../world.ts'
import { answerPageErrors } from './answer-errors.tsx'
import { answerStep } from './answer-step.ts'
import { billPages, paymentOfBill } from './bill-pages.tsx'
import { limitPayers } from './limit-payers.ts'
import { linkPages, paymentThroughLink } from './link-pages.tsx'
import { lookRoutes } from './look-routes.ts'
import { refuseFromElsewhere } from './page-requests.ts'
import { sendReceipt } from './payment-page.tsx'
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
    onPaymentPages(own, world, 'step', answerStep)
    await unsubscribePages(own, world)
    await own.register(async (forms) => {
      // A plain HTML form, which needs no script.
      readForms(forms)
      onPaymentPages(forms, world, 'receipt', sendReceipt)
    })
  })
}

const FINDERS = { '/pay': paymentThroughLink, '/bill': paymentOfBill } as const

/** What a payer's browser sends from the page of a payment. */
function onPaymentPages(
  own: FastifyInstance,
  world: World,
  action: 'receipt' | 'step',
  answer: typeof answerStep,
): void {
  for (const [place, find] of Object.entries(FINDERS)) {
    own.post<{ Params: { name: string; nonce: string } }>(
      `${place}/:name/:nonce/${action}`,
      STRANGERS_FORM,
      async (request, reply) => {
        refuseFromElsewhere(request)
        await limitPayers(world, reply, action === 'step' ? 'token' : 'receipt')
        const { name, nonce } = request.params
        return answer(world, reply, await find(world, name, nonce))
      },
    )
  }
}
