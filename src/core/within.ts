/** True when the work was done in time. What is late goes on, unwatched. */
export async function isDoneWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, ms, false)
  })
  try {
    return await Promise.race([work.then(() => true), late])
  } finally {
    clearTimeout(timer)
  }
}

/** What the work came to; throws where it is late. */
export async function doneWithin<T>(ms: number, work: Promise<T>): Promise<T> {
  if (await isDoneWithin(ms, work)) return work
  throw new Error(`no answer within ${ms} ms`)
}
