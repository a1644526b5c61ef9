// Shows the team and the account of the key that the request carries.

import { DIALECTS } from '../../core/dialect.ts'
import { Type } from '../../resource/json-schema.ts'
import { answerField } from '../../resource/schemas.ts'
import { callerOf } from '../requests.ts'
import type { RouteApp } from './route-app.ts'

const self = Type.Object({
  team: Type.Object({
    id: answerField.id,
    name: answerField.text,
    status: Type.Enum(['active', 'inactive']),
    enabled: answerField.flag,
    sms_enabled: answerField.flag,
    split_funding_enabled: answerField.flag,
    settlement_tokenization_enabled: answerField.flag,
  }),
  account: Type.Object({
    id: answerField.id,
    mode: Type.Enum(['sandbox', 'live']),
    rate_limit_per_minute: Type.Integer(),
  }),
  key: Type.Object({
    name: answerField.text,
    prefix: answerField.text,
    dialect: Type.Enum(DIALECTS, { description: 'The form of answers to this key.' }),
  }),
})

export function selfRoutes(app: RouteApp): void {
  app.get(
    '/self',
    {
      config: { readsByKey: true },
      schema: {
        summary: 'The team and account of the key',
        operationId: 'getSelf',
        description:
          'Returns the team of the key, and whether the key is for the sandbox or the live account.',
        tags: ['Account'],
        response: { 200: self },
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
        key: { name: key.name, prefix: key.prefix, dialect: key.dialect },
      }
    },
  )
}
