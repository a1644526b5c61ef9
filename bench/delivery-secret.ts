// The secret that signs the benchmark's events.

export const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
