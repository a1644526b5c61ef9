// Records where time goes, as spans of a trace. Without an exporter nothing is traced, at no cost.

/** Never a secret or card data: readers of traces may not see those. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

export interface SpanAbout {
  readonly name: string
  readonly kind: 'server' | 'producer' | 'consumer' | 'client' | 'internal'
  readonly attributes?: Attributes
  /**
   * The span to continue: `carried` of the process that began it, or a `traceparent` header.
   * Without it, the span continues the current one, if there is one.
   */
  readonly parent?: string | undefined
}

export interface TraceSpan {
  /** Everything that runs in `act`, and everything that it awaits, belongs to the span. */
  run<T>(act: () => T): T
  /** Only the first call counts. */
  end(attributes?: Attributes, error?: unknown): void
}

export interface Tracer {
  /** False if nothing is traced, so that callers can skip preparing attributes. */
  readonly isOn: boolean
  begin(about: SpanAbout): TraceSpan
  /**
   * A span around `act`. `attributesOf` turns the outcome into attributes; an error of `act` marks
   * the span as failed.
   */
  span<T>(
    about: SpanAbout,
    act: () => Promise<T>,
    attributesOf?: (outcome: T) => Attributes,
  ): Promise<T>
  /** The current span as W3C `traceparent`, for a process that continues it. */
  carried(): string | undefined
  /** Sends the remaining spans, for a limited time. Never throws. */
  close(): Promise<void>
}

const NO_SPAN: TraceSpan = { run: (act) => act(), end: () => {} }

export const noTracer: Tracer = {
  isOn: false,
  begin: () => NO_SPAN,
  span: (_about, act) => act(),
  carried: () => undefined,
  close: async () => {},
}
