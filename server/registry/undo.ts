/**
 * What a write took outside its object (an address, a port, a share of a quota), as acts that give it back should the
 * write not come about. Belongs to one write; any of its steps may add to it.
 */
export type Undo = (() => void | Promise<void>)[];

/** Gives everything back, the last first; nothing is given back twice, and one that fails keeps no other from it. */
export async function giveBack(undo: Undo): Promise<void> {
  let failure: { readonly error: unknown } | undefined;
  for (let act = undo.pop(); act; act = undo.pop()) {
    try {
      await act();
    } catch (error) {
      failure ??= { error };
    }
  }
  if (failure) throw failure.error;
}
