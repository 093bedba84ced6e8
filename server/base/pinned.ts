/** Values that say more than their JSON does, so that what is read from that cannot stand for them. */
const pinned = new WeakSet<object>();

/** For who knows something about this very value that is not written in it. */
export const pin = (value: object): void => void pinned.add(value);

export const isPinned = (value: object): boolean => pinned.has(value);
