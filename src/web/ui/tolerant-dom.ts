/**
 * Translators, ad blockers and extensions move and replace nodes that React rendered. React then removes a node from a
 * former parent or inserts one before a node that has moved, which throws and leaves a blank page. These versions do
 * the closest possible thing instead.
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
  let target = before;
  while (target !== null && target.parentNode !== this) target = target.parentNode;
  return insertBefore.call(this, child, target) as Child;
};
