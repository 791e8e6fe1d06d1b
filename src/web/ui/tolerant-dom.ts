/**
 * Translators, ad blockers and extensions move and replace parts of the page that React made. React then removes a node
 * from a parent that has it no more, or puts one before a node that is elsewhere, and the page would go blank. Here both
 * do what was meant as well as it can be done.
 */
const { removeChild, insertBefore } = Node.prototype;

Node.prototype.removeChild = function <Child extends Node>(this: Node, child: Child): Child {
  if (child.parentNode === this) return removeChild.call(this, child) as Child;
  if (this.contains(child)) child.parentNode?.removeChild(child);
  return child;
};

Node.prototype.insertBefore = function <Child extends Node>(
  this: Node,
  child: Child,
  before: Node | null,
): Child {
  let place = before;
  while (place !== null && place.parentNode !== this) place = place.parentNode;
  return insertBefore.call(this, child, place) as Child;
};
