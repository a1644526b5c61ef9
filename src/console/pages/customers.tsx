// The pages of customers: the list over all accounts, and one customer.

import type { FastifyInstance } from 'fastify'
import type { World } from '../../world.ts'
import { namedInAccount, type ObjectParams } from '../account-of.ts'
import { CUSTOMER_LIST } from '../customers/list.tsx'
import { type CustomerStory, findCustomer, OneCustomer, readCustomer } from '../customers/one.tsx'
import { addDetailPage, type DetailPage } from '../parts/detail-page.tsx'
import { addListPage } from '../parts/list-page.tsx'
import { personName } from '../parts/shown.tsx'

export function customerPages(own: FastifyInstance, world: World): void {
  addListPage(own, world, CUSTOMER_LIST)
  addDetailPage(own, world, ONE_CUSTOMER)
}

const ONE_CUSTOMER: DetailPage<ObjectParams, CustomerStory> = {
  place: 'customers',
  async find(world, params) {
    const { account, found } = await namedInAccount(world, params, 'customer', findCustomer)
    return readCustomer(world, account, found)
  },
  title: ({ customer }) => personName(customer),
  body: ({ found: story }) => <OneCustomer story={story} />,
}
