import { Type } from '../../resource/json-schema.ts'
import { shown } from '../../resource/schemas.ts'
import type { World } from '../../world.ts'
import { authenticate } from '../authenticate.ts'
import { callerOf } from '../requests.ts'
import { answers, KEYED, security } from '../schema/answers.ts'
import type { RouteApp } from './route-app.ts'

const self = Type.Object({
  team: Type.Object({
    id: shown.id,
    name: shown.text,
    status: Type.Enum(['active', 'inactive']),
    enabled: shown.flag,
    sms_enabled: shown.flag,
    split_funding_enabled: shown.flag,
    settlement_tokenization_enabled: shown.flag,
  }),
  account: Type.Object({
    id: shown.id,
    mode: Type.Enum(['sandbox', 'live']),
    rate_limit_per_minute: Type.Integer(),
  }),
  key: Type.Object({ name: shown.text, prefix: shown.text }),
})

export function selfRoutes(app: RouteApp, world: World): void {
  app.get(
    '/self',
    {
      onRequest: authenticate(world),
      schema: {
        summary: 'The team and account of the key',
        tags: ['Account'],
        security,
        response: answers({ 200: self }, KEYED),
      },
    },
    (request) => {
      const { team, key, accountId, mode, rateLimitPerMinute } = callerOf(request)
      return {
        team: {
          id: team.id,
          name: team.name,
          status: team.status,
          enabled: team.enabled,
          sms_enabled: team.smsEnabled,
          split_funding_enabled: team.splitFundingEnabled,
          settlement_tokenization_enabled: team.settlementTokenizationEnabled,
        },
        account: { id: accountId, mode, rate_limit_per_minute: rateLimitPerMinute },
        key: { name: key.name, prefix: key.prefix },
      }
    },
  )
}
