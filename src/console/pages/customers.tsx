// The pages of customers: the list over all accounts, and one customer.

import type { FastifyInstance } from 'fastify'
import { isId } from '../../core/id.ts'
import { answerHtml } from '../../web/html.ts'
import type { World } from '../../world.ts'
import { accountOfPath, notInAccount, type OfAccount } from '../account-of.ts'
import { CUSTOMER_LIST } from '../customers/list.tsx'
import { OneCustomer, readCustomer } from '../customers/one.tsx'
import { takeDone } from '../done.ts'
import { ConsolePage } from '../layout.tsx'
import { addListPage } from '../parts/list-page.tsx'
import { personName } from '../parts/shown.tsx'
import { operatorOf } from '../who.ts'

export function customerPages(own: FastifyInstance, world: World): void {
  addListPage(own, world, CUSTOMER_LIST)
  own.get<OfAccount>(
    '/customers/:account/:id',
    { schema: { hide: true } },
    async (request, reply) => {
      const { params } = request
      const account = await accountOfPath(world, params.account, 'customer')
      const id = params.id.toLowerCase()
      const story = isId(id) ? await readCustomer(world, account, id) : undefined
      if (story === undefined) throw notInAccount('customer')
      const operator = operatorOf(request)
      return answerHtml(
        reply,
        <ConsolePage
          title={personName(story.customer)}
          place="customers"
          operator={operator}
          done={takeDone(world, request, reply)}
        >
          <OneCustomer {...{ story, operator }} />
        </ConsolePage>,
      )
    },
  )
}
