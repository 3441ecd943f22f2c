#include "replay/schema_arguments.h"

#include <ATen/Context.h>
#include <ATen/ScalarOps.h>
#include <ATen/core/jit_type.h>

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "format/canonical_json.h"
#include "format/signature.h"
#include "intercept/torch_names.h"
#include "replay/call_arguments.h"
#include "replay/made_values.h"

namespace opcov {
namespace {

using c10::TypeKind;

double real(const Json& value) {
  if (value.is_number()) return value.get<double>();
  const std::string text = value.at("float").get<std::string>();
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  return text == "inf" ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity();
}

bool is_real(const Json& value) { return value.is_number() || (value.is_object() && value.contains("float")); }

std::optional<at::Scalar> scalar(const Json& value) {
  if (value.is_boolean()) return at::Scalar(value.get<bool>());
  if (value.is_number_integer()) return at::Scalar(value.get<std::int64_t>());
  if (is_real(value)) return at::Scalar(real(value));
  if (value.is_object() && value.contains("complex")) {
    const Json& parts = value.at("complex");
    return at::Scalar(c10::complex<double>(real(parts.at(0)), real(parts.at(1))));
  }
  return std::nullopt;
}

/// The number of an enumeration's constant, by the function that names them.
template <class Name>
std::optional<std::int64_t> constant(const Json& value, Name name_of) {
  constexpr std::uint8_t kMost = 64;
  for (std::uint8_t i = 0; value.is_string() && i < kMost; ++i)
    if (value.get_ref<const std::string&>() == name_of(i)) return i;
  return std::nullopt;
}

/// As values on the dispatcher's stack have it: enumerations and symbols are plain numbers there.
c10::TypePtr type_on_stack(const c10::TypePtr& type) {
  switch (type->kind()) {
    case TypeKind::SymIntType:
    case TypeKind::ScalarTypeType:
    case TypeKind::LayoutType:
    case TypeKind::MemoryFormatType:
    case TypeKind::QSchemeType: return c10::IntType::get();
    case TypeKind::SymFloatType: return c10::FloatType::get();
    case TypeKind::SymBoolType: return c10::BoolType::get();
    default: return type;
  }
}

class Arguments {
 public:
  Arguments(const c10::OperatorHandle& op, const ReplayedCall& call, TensorMaker& tensors)
      : schema_(op.schema()), call_(call), tensors_(tensors) {
    named_.op = op.operator_name().name;
    named_.output = call.signature.value("output", Json());
    assign_names();
  }

  torch::jit::Stack make() {
    torch::jit::Stack stack;
    for (const c10::Argument& argument : schema_.arguments()) {
      const auto given = given_.find(argument.name());
      if (given == given_.end() && !argument.default_value())
        throw bad_input("the call has no argument " + argument.name() + ", which the operator needs");
      if (given == given_.end()) {
        stack.push_back(*argument.default_value());
        continue;
      }
      argument_ = &argument;
      item_ = 0;
      stack.push_back(value(*given->second, argument.real_type()));
    }
    return stack;
  }

 private:
  void assign_names() {
    const Json& args = call_.signature.at("args");
    const auto& arguments = schema_.arguments();
    if (args.size() > arguments.size())
      throw bad_input("the call has " + std::to_string(args.size()) + " arguments, the operator takes " +
                      std::to_string(arguments.size()));
    for (std::size_t i = 0; i < args.size(); ++i) given_[arguments[i].name()] = &args[i];
    for (const auto& [name, value] : call_.signature.at("kwargs").items()) {
      if (!schema_.argumentIndexWithName(name)) throw bad_input("the operator has no argument " + name);
      given_[name] = &value;
    }
    for (const c10::Argument& argument : arguments)
      if (argument.default_value() && argument.default_value()->isInt())
        named_.given[argument.name()] = argument.default_value()->toInt();
    for (const auto& [name, value] : given_) named_.given[name] = *value;
  }

  Error unfit(const Json& value, const c10::TypePtr& type) const {
    return bad_input("argument " + argument_->name() + " is " + canonical_json(value) + ", the operator takes " +
                     type->annotation_str());
  }

  c10::IValue value(const Json& json, const c10::TypePtr& type) {
    const auto integer_of = [&](std::optional<std::int64_t> number) {
      if (number) return c10::IValue(*number);
      throw unfit(json, type);
    };
    switch (type->kind()) {
      case TypeKind::OptionalType:
        return json.is_null() ? c10::IValue() : value(json, type->expectRef<c10::OptionalType>().getElementType());
      case TypeKind::TensorType: return tensor(json, type);
      case TypeKind::ListType: return list(json, type);
      case TypeKind::IntType:
      case TypeKind::SymIntType:
        if (json.is_number_integer()) return json.get<std::int64_t>();
        break;
      case TypeKind::FloatType:
      case TypeKind::SymFloatType:
        if (is_real(json)) return real(json);
        break;
      case TypeKind::BoolType:
      case TypeKind::SymBoolType:
        if (json.is_boolean()) return json.get<bool>();
        break;
      case TypeKind::NumberType:
        if (const auto number = scalar(json)) return *number;
        break;
      case TypeKind::StringType:
        if (json.is_string()) return json.get<std::string>();
        break;
      case TypeKind::ScalarTypeType: return integer_of(constant(json, dtype_name));
      case TypeKind::LayoutType: return integer_of(constant(json, layout_name));
      case TypeKind::MemoryFormatType: return integer_of(constant(json, memory_format_name));
      case TypeKind::QSchemeType: return integer_of(constant(json, qscheme_name));
      case TypeKind::DeviceObjType:
        if (json.is_string()) return tensors_.device_of(json.get<std::string>());
        break;
      case TypeKind::GeneratorType:
        // The device's own: which one the call had is no part of a signature.
        if (json.is_object()) return at::globalContext().defaultGenerator(tensors_.device_of("cuda"));
        break;
      default: break;
    }
    if (json.is_object() && json.contains("object"))
      throw bad_input("argument " + argument_->name() + " is an object (" + json.at("object").get<std::string>() +
                      ") of which nothing but the type is known");
    throw unfit(json, type);
  }

  c10::IValue list(const Json& json, const c10::TypePtr& type) {
    const c10::TypePtr element = type->expectRef<c10::ListType>().getElementType();
    c10::impl::GenericList items(type_on_stack(element));
    if (json.is_array()) {
      for (const Json& item : json) {
        items.push_back(value(item, element));
        ++item_;
      }
    } else if (argument_->N()) {  // one number for all
      for (std::int32_t i = 0; i < *argument_->N(); ++i) items.push_back(value(json, element));
    } else {
      throw unfit(json, type);
    }
    return items;
  }

  c10::IValue tensor(const Json& json, const c10::TypePtr& type) {
    if (json.is_null()) return at::Tensor();
    if (const auto number = scalar(json)) {
      at::Tensor wrapped = c10::scalar_to_tensor(*number);
      wrapped.unsafeGetTensorImpl()->set_wrapped_number(true);
      return wrapped;
    }
    if (!is_tensor(json)) throw unfit(json, type);
    if (tensors_.has_values(json)) return tensors_.read(json);
    const bool whole = c10::isIntegralType(dtype_of(json.at("dtype")), /*includeBool=*/true);
    return tensors_.make(json, made_values(named_, argument_->name(), item_, !whole));
  }

  const c10::FunctionSchema& schema_;
  const ReplayedCall& call_;
  TensorMaker& tensors_;
  std::map<std::string, const Json*> given_;
  CallArguments named_;
  const c10::Argument* argument_ = nullptr;  // at present
  std::size_t item_ = 0;
};

/// The value of an argument; nullptr where the signature leaves it out.
Json* given(Json& signature, std::size_t place, const std::string& name) {
  if (signature["kwargs"].contains(name)) return &signature["kwargs"][name];
  return place < signature["args"].size() ? &signature["args"][place] : nullptr;
}

/// What is at no place in `replayed` has been made, and was the default: nothing else is left out there.
Json spelt_as(const Json& replayed, Json signature, const std::vector<c10::Argument>& arguments) {
  Json spelt = std::move(signature);
  Json args = replayed.at("args");
  Json kwargs = replayed.at("kwargs");
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Json* value = given(spelt, i, arguments[i].name());
    if (value == nullptr) continue;
    if (i < args.size())
      args[i] = *value;
    else if (kwargs.contains(arguments[i].name()))
      kwargs[arguments[i].name()] = *value;
  }
  spelt["args"] = std::move(args);
  spelt["kwargs"] = std::move(kwargs);
  return spelt;
}

}  // namespace

c10::OperatorHandle find_operator(const std::string& name) {
  const std::size_t first = name.find('.');
  const std::size_t last = name.rfind('.');
  if (first == std::string::npos || first == last) throw bad_input(name + " is no operator's name");
  const std::string base = name.substr(0, first) + "::" + name.substr(first + 1, last - first - 1);
  const std::string overload = name.substr(last + 1);
  const auto found = c10::Dispatcher::singleton().findSchema({base, overload == "default" ? "" : overload});
  if (!found) throw bad_input("there is no operator " + name + "; give the library that registers it by --load");
  return *found;
}

Json signature_where_replayed(const c10::OperatorHandle& op, const ReplayedCall& call, const TensorMaker& tensors,
                              const Json& replayed) {
  Json signature = without_places(call.signature);
  if (!call.snapshot.empty()) signature = spelt_as(replayed, std::move(signature), op.schema().arguments());
  const auto& arguments = op.schema().arguments();
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    Json* value = given(signature, i, arguments[i].name());
    c10::TypePtr type = arguments[i].type();
    if (const auto optional = type->cast<c10::OptionalType>()) type = optional->getElementType();
    if (value != nullptr && value->is_string() && type->kind() == TypeKind::DeviceObjType)
      *value = device_type_name(static_cast<std::uint8_t>(tensors.device_of(value->get<std::string>()).type()));
  }
  return signature;
}

torch::jit::Stack make_arguments(const c10::OperatorHandle& op, const ReplayedCall& call, TensorMaker& tensors) {
  return Arguments(op, call, tensors).make();
}

}  // namespace opcov
