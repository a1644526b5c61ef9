import { columnsOf } from '../db/columns.ts'
import { resourceOf } from '../events/resource.ts'
import type { Customer } from '../generated/client.ts'
import { customerView } from './customer-view.ts'

export const customerColumns = columnsOf<Customer>('Customer', 'c')

/** A commit that also holds payment methods holds their customer first: no two commits deadlock. */
export const customers = resourceOf(customerColumns, 'customer', customerView)
