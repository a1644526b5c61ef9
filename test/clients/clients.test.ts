// The requests of existing clients of another API of this kind, and the fields that they read, one
// section a client, in one service. `rules.ts` holds the rules of the dialect for all of them.

import { afterAll, beforeAll, describe } from 'vitest'
import { openTestService, type TestService } from '../support/test-service.ts'
import { androidClient } from './android.ts'
import { type DialectMerchant, openDialectMerchant } from './dialect-merchant.ts'
import { iosClient } from './ios.ts'
import { phpClient } from './php.ts'
import { publishedExamples } from './published.ts'
import { pythonClient } from './python.ts'
import { rubyClient } from './ruby.ts'
import { dialectRules } from './rules.ts'
import { wooCommerce } from './woocommerce.ts'

let service: TestService
let opened: DialectMerchant

beforeAll(async () => {
  const settings = { WEBHOOK_ALLOW_PRIVATE: 'true' }
  service = await openTestService({ queues: ['charge', 'refund'], settings })
  opened = await openDialectMerchant(service)
})
afterAll(() => service.close())

const merchant = () => opened

describe('the Python client', () => pythonClient(merchant))
describe('the Android SDK', () => androidClient(merchant))
describe('the iOS SDK', () => iosClient(merchant))
describe('the PHP client', () => phpClient(merchant))
describe('the Ruby gem', () => rubyClient(merchant))
describe('the plugin for WooCommerce', () => wooCommerce(merchant))
describe('the published examples', () => publishedExamples(merchant))
// The last section compares lists of everything that the others have made.
describe('the dialect', () => dialectRules(merchant))
