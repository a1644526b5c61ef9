import { Refusal } from '../../core/errors.ts'
import { findTransaction } from '../../payments/read-payment.ts'
import { transactionView } from '../../payments/transaction-view.ts'
import type { World } from '../../world.ts'
import { authenticate, requireTeamInGoodStanding } from '../authenticate.ts'
import { callerOf } from '../requests.ts'
import { answers, IN_GOOD_STANDING, KEYED, security } from '../schema/answers.ts'
import { id } from '../schema/fields.ts'
import { ref } from '../schema/ref.ts'
import { transaction } from '../schema/transaction.ts'
import { Type } from '../schema/type.ts'
import type { RouteApp } from './route-app.ts'

export function transactionRoutes(app: RouteApp, world: World): void {
  app.get(
    '/transaction/:id',
    {
      onRequest: [authenticate(world), requireTeamInGoodStanding],
      schema: {
        summary: 'Get a transaction',
        tags: ['Payments'],
        security,
        params: Type.Object({ id: id('The transaction.') }),
        response: answers({ 200: ref(transaction) }, [
          ...KEYED,
          ...IN_GOOD_STANDING,
          'invalid_id',
          'not_found',
        ]),
      },
    },
    async (request) => {
      const { accountId } = callerOf(request)
      const found = await world.db.ask(findTransaction, { accountId, id: request.params.id })
      if (found === undefined) throw new Refusal('not_found')
      return transactionView(found)
    },
  )
}
