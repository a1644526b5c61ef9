// Sends traces to a collector by OTLP over HTTP. It is loaded only if a collector is set, because
// loading it costs a start more than all other settings together. Spans are sent in batches, apart
// from the work. Spans that an unavailable or slow collector cannot accept are dropped, and no work
// waits for them.

import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Context,
  isSpanContextValid,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-node'
import { MINUTE, SECOND } from '../core/time-units.ts'
import { isDoneWithin } from '../core/within.ts'
import type { Attributes, SpanAbout, Tracer, TraceSpan } from './tracer.ts'

export interface OtlpSettings {
  /** Without the path for traces. */
  readonly url: string
  /** Secret: it may contain the collector's key. */
  readonly headers: Readonly<Record<string, string>> | undefined
  readonly serviceName: string
  readonly version: string
  readonly log: { warn(about: object, message: string): void }
}

/** A collector that needs longer for a batch is useless. */
const EXPORT_MS = 5 * SECOND

/** How long a span waits for others to be sent with it. */
const GATHER_MS = SECOND

const MOST_A_BATCH = 512

/** Some seconds of a busy process, and a few megabytes. Further spans are dropped. */
const MOST_KEPT = 8_192

/** An ending process waits for its traces no longer than this. */
const CLOSE_MS = 2 * SECOND

const LOG_AGAIN_MS = MINUTE

const KINDS: Readonly<Record<SpanAbout['kind'], SpanKind>> = {
  server: SpanKind.SERVER,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
}

export function otlpTracer(settings: OtlpSettings): Tracer {
  const provider = openProvider(settings)
  const tracer = provider.getTracer('lamplighter', settings.version)
  // Our own store: the global one of OpenTelemetry stays untouched.
  const under = new AsyncLocalStorage<Context>()

  function begin({ name, kind, attributes, parent }: SpanAbout): TraceSpan {
    const from = continued(parent) ?? under.getStore() ?? ROOT_CONTEXT
    const span = tracer.startSpan(name, { kind: KINDS[kind], attributes: { ...attributes } }, from)
    const inside = trace.setSpan(from, span)
    return {
      run: (act) => under.run(inside, act),
      end: (outcome, error) => end(span, outcome, error),
    }
  }

  return {
    isOn: true,
    begin,
    async span(about, act, attributesOf) {
      const span = begin(about)
      try {
        const outcome = await span.run(act)
        span.end(attributesOf?.(outcome))
        return outcome
      } catch (error) {
        span.end(undefined, error)
        throw error
      }
    },
    carried() {
      const context = trace.getSpanContext(under.getStore() ?? ROOT_CONTEXT)
      return context === undefined ? undefined : writeTraceparent(context)
    },
    async close() {
      await isDoneWithin(
        CLOSE_MS,
        provider.shutdown().catch(() => {}),
      )
    },
  }
}

function openProvider(settings: OtlpSettings): BasicTracerProvider {
  const { url, headers, serviceName, version, log } = settings
  const exporter = new OTLPTraceExporter({
    url: `${url}/v1/traces`,
    timeoutMillis: EXPORT_MS,
    ...(headers === undefined ? {} : { headers: { ...headers } }),
  })
  const processor = new BatchSpanProcessor(reporting(exporter, log), {
    scheduledDelayMillis: GATHER_MS,
    exportTimeoutMillis: EXPORT_MS,
    maxExportBatchSize: MOST_A_BATCH,
    maxQueueSize: MOST_KEPT,
  })
  const resource = resourceFromAttributes({
    'service.name': serviceName,
    'service.version': version,
    'process.pid': process.pid,
  })
  return new BasicTracerProvider({ resource, spanProcessors: [processor] })
}

/** With an unavailable collector, each span would otherwise write a line to the log. */
function reporting(exporter: SpanExporter, log: OtlpSettings['log']): SpanExporter {
  let batches = 0
  let quietUntilMs = 0
  const report = (err: unknown) => {
    batches += 1
    if (performance.now() < quietUntilMs) return
    log.warn({ err, batches }, 'traces could not be sent')
    batches = 0
    quietUntilMs = performance.now() + LOG_AGAIN_MS
  }
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.error !== undefined) report(result.error)
        done(result)
      }),
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  }
}

function continued(parent: string | undefined): Context | undefined {
  const context = readTraceparent(parent)
  return context && trace.setSpanContext(ROOT_CONTEXT, context)
}

/** An error's message may contain anything; its name is enough to find it in the log. */
function end(span: OtelSpan, outcome: Attributes | undefined, error: unknown): void {
  if (outcome !== undefined) span.setAttributes(outcome)
  if (error !== undefined) {
    span.setAttribute('error.type', typeOf(error))
    span.setStatus({ code: SpanStatusCode.ERROR })
  }
  if (span.isRecording()) span.end()
}

function typeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return typeof error
  const code = Reflect.get(error, 'code')
  return typeof code === 'string' ? code : String(Reflect.get(error, 'name'))
}

/** A later version may add fields at the end; the beginning stays the same. */
const FORM = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/

const SAMPLED = TraceFlags.SAMPLED

/** The W3C's `traceparent`: names a span for the process that continues its trace. */
function readTraceparent(text: string | undefined): SpanContext | undefined {
  const [, traceId = '', spanId = '', flags = ''] = FORM.exec(text ?? '') ?? []
  const traceFlags = Number.parseInt(flags, 16) & SAMPLED
  const context = { traceId, spanId, traceFlags, isRemote: true }
  return isSpanContextValid(context) ? context : undefined
}

function writeTraceparent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-0${traceFlags & SAMPLED}`
}
