// The W3C's `traceparent`: how a span is named to whoever continues it elsewhere.

import { isSpanContextValid, type SpanContext, TraceFlags } from '@opentelemetry/api'

/** A later version may say more behind it; what it begins with stays as it is. */
const FORM = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/

const SAMPLED = TraceFlags.SAMPLED

export function readTraceparent(text: string | undefined): SpanContext | undefined {
  const [, traceId = '', spanId = '', flags = ''] = FORM.exec(text ?? '') ?? []
  const traceFlags = Number.parseInt(flags, 16) & SAMPLED
  const context = { traceId, spanId, traceFlags, isRemote: true }
  return isSpanContextValid(context) ? context : undefined
}

export function writeTraceparent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-0${traceFlags & SAMPLED}`
}
