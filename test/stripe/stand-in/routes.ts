// The form of a route of the stand-in, and the search for a request's route.

import type { StripeAccount } from './account.ts'
import type { StripeForm } from './form.ts'
import { invalid, StripeRefusal } from './refusals.ts'

export interface StripeCall {
  readonly account: StripeAccount
  readonly form: StripeForm
  /** The text in the address for `:id`. */
  readonly id: string
}

export interface StripeRoute {
  readonly method: 'DELETE' | 'GET' | 'POST'
  /** `:id` stands for any id. */
  readonly path: string
  /** Every other field is refused, as Stripe does. */
  readonly fields: readonly string[]
  readonly run: (call: StripeCall) => object
}

/** The fields of every list. */
export const PAGE_FIELDS = ['limit', 'starting_after', 'ending_before'] as const

export interface FoundRoute {
  readonly route: StripeRoute
  readonly id: string
}

/** The first match. */
export function findRoute(
  routes: readonly StripeRoute[],
  method: string,
  path: string,
): FoundRoute {
  for (const route of routes) {
    const id = route.method === method ? idIn(route.path, path) : undefined
    if (id !== undefined) return { route, id }
  }
  const message = `Unrecognized request URL (${method}: ${path}).`
  throw new StripeRefusal(404, { type: 'invalid_request_error', message }, false)
}

export function refuseUnknownFields({ fields }: StripeRoute, form: StripeForm): void {
  const unknown = Object.keys(form).find((name) => name !== 'expand' && !fields.includes(name))
  if (unknown === undefined) return
  const message = `Received unknown parameter: ${unknown}`
  throw invalid(message, { code: 'parameter_unknown', param: unknown })
}

function idIn(pattern: string, path: string): string | undefined {
  const parts = path.split('/')
  const wanted = pattern.split('/')
  if (parts.length !== wanted.length) return undefined
  const fits = wanted.every((part, at) => part === ':id' || part === parts[at])
  return fits ? decodeURIComponent(parts[wanted.indexOf(':id')] ?? '') : undefined
}
