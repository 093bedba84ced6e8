/** Values that say more than their JSON does, so that what is read from that cannot stand for them. */
export const pinned: Pick<WeakSet<object>, 'add' | 'has'> = new WeakSet();

/** For who knows something about this very value that is not written in it. */
export const pin = (value: object): void => void pinned.add(value);
