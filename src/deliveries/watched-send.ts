// A send from when it has a place until it gives it back, once, however it ends.

import { SECOND } from '../core/time-units.ts'
import type { Carrier } from './carrier.ts'

export interface WatchedSend {
  /** Its provider is asked: from now on it may be slow. */
  begin(): void
  end(): void
}

/** Where one provider takes all, a send that takes longer may hang over its recipient. */
const SLOW_MS = 2 * SECOND

interface Watching {
  onSlow(): void
  onEnd(wasSlow: boolean): void
}

export function watchedSend(
  { perSecond, timeoutMs }: Pick<Carrier, 'perSecond' | 'timeoutMs'>,
  { onSlow, onEnd }: Watching,
): WatchedSend {
  let [isSlow, isOver] = [false, false]
  let timer: NodeJS.Timeout | undefined
  const slow = () => {
    isSlow = true
    onSlow()
  }
  return {
    begin() {
      if (perSecond === undefined) return
      timer = setTimeout(slow, Math.min(SLOW_MS, timeoutMs / 4))
    },
    end() {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      onEnd(isSlow)
    },
  }
}
