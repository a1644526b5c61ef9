// How a page's browser makes the gateway's token, and what the page may load for that.

import type { FastifyReply } from 'fastify'
import type { BrowserTokens, Gateway } from '../outside/gateway/port.ts'
import { policyText } from '../web/browser-rules.ts'
import type { Payee } from './payee.ts'

type HostedFields = Extract<BrowserTokens, { kind: 'hosted fields' }>

/** The gateway's own fields, on the page of one account. */
export interface HostedPage extends Omit<HostedFields, 'accountOf'> {
  readonly account: string | undefined
}

export type PageTokens = Exclude<BrowserTokens, HostedFields> | HostedPage

export async function pageTokensOf(
  { browserTokens }: Gateway,
  { accountId }: Payee,
): Promise<PageTokens> {
  if (browserTokens.kind !== 'hosted fields') return browserTokens
  const { accountOf, ...hosted } = browserTokens
  return { ...hosted, account: await accountOf(accountId) }
}

export function hostedOf(tokens: PageTokens | undefined): HostedPage | undefined {
  return tokens?.kind === 'hosted fields' ? tokens : undefined
}

/** True if the account's gateway is live, in its test mode. */
export function isInTestMode(gateway: Gateway | undefined): boolean {
  const tokens = gateway?.browserTokens
  return tokens?.kind === 'hosted fields' && tokens.isTest
}

/** A page with the gateway's fields loads them from there, and they style themselves. */
export function allowTokens(reply: FastifyReply, tokens: PageTokens | undefined): void {
  const hosted = hostedOf(tokens)
  if (hosted === undefined) return
  const { scripts, frames, connections } = hosted.loads
  const policy = policyText({
    'script-src': `'self' ${scripts}`,
    'style-src': "'self' 'unsafe-inline'",
    'frame-src': frames,
    'connect-src': `'self' ${connections}`,
  })
  reply.headers({
    'content-security-policy': policy,
    // A payer signs in at a bank in a window that the gateway's frame opens.
    'cross-origin-opener-policy': 'same-origin-allow-popups',
  })
}
